import type { Complete } from '../messages'
import type en from './own.en'

const ja: Complete<typeof en> = {
  own: {
    details: '名前とメール', mailLanguage: 'メールの言語', mailZone: 'メールとリマインダーのタイムゾーン', ways: 'サインイン方法', noPassword: 'このアカウントにはパスワードがありません。認証サービスからサインインします。', presentPassword: '現在のパスワード', newPassword: '新しいパスワード', passwordHint: '10 文字以上。変更すると、ほかの端末からはサインアウトされます。', changePassword: 'パスワードを変更', passwordChanged: 'パスワードを変更し、ほかの端末からサインアウトしました', calendar: 'カレンダー', calendarWhy: '専用のアドレスを使うと、普段お使いのカレンダーにミーティングを表示できます。アドレスを知っている人は誰でも閲覧できるため、ご注意ください。', calendarOnce: '表示されるのは今回だけです', copy: 'コピー', copied: 'コピーしました', subscribe: 'カレンダーで開く', calendarNew: 'アドレスを発行', calendarNewSure: 'カレンダーのアドレスを発行しますか。以前のアドレスは使えなくなります。', calendarEnd: 'アドレスを無効にする', calendarEndSure: 'カレンダーのアドレスを無効にしますか。登録済みのカレンダーには表示されなくなります。', endOthers: 'ほかの端末からすべてサインアウト', endOthersSure: 'この端末以外からすべてサインアウトしますか。',
    add: '{{name}} を追加', addWhy: '{{name}} でもサインインできるようになります。先方のメールアドレスは、ここと違っていてもかまいません。', addedAt: '{{when}}に追加', usedAt: '最終利用 {{when}}', former: '現在は使われていません', formerWhy: 'この認証サービスとの連携は終了しているため、サインインには使えません。',
    remove: '削除', removeTitle: 'サインイン方法の削除', removeSure: '{{name}} の {{shown}} を削除しますか。このアカウントではサインインできなくなります。ほかの端末からはサインアウトされ、API トークンも無効になります。', wayRemoved: '{{name}} を削除し、ほかの端末からサインアウトしました', wayAdded: '{{name}} でサインインできるようになりました。確認のメールをお送りしています。', notAdded: '追加できませんでした',
    proveWhy: '開いたままの画面から、ほかの人にサインイン方法を変えられないようにするためです。', proveAgain: 'サインインから時間がたっています。もう一度サインインしてから、やり直してください。開いたままの画面から、ほかの人にサインイン方法を変えられないようにするためです。', signInAgain: 'もう一度サインイン', goOn: '続ける',
    wayProblem: { 'identity-taken': 'この {{name}} のアカウントは、ほかの方のサインインに使われています。{{name}} で別のアカウントを選ぶか、そのアカウントでサインインしてください。', 'second-identity': '{{name}} の別のアカウントが、すでに追加されています。先にそちらを削除してください。', 'only-way-in': 'パスワードがないため、これが唯一のサインイン方法です。削除するとサインインできなくなります。', 'sign-in-failed': '時間がかかりすぎたか、別の画面で始められたか、{{name}} に断られました。もう一度お試しください。', 'provider-unavailable': '{{name}} に接続できません。しばらくしてからもう一度お試しください。', 'confirmation-needed': 'ご本人であることを、もう一度確認させてください。' },
  },
}
export default ja
