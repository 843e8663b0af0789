import type { Complete } from '../messages'
import type en from './own.en'

const ja: Complete<typeof en> = {
  own: { details: '名前とメール', mailLanguage: 'メールの言語', mailZone: 'メールとリマインダーのタイムゾーン', ways: 'サインイン方法', provider: '{{name}} でサインイン', noPassword: 'このアカウントにはパスワードがありません。認証サービスからサインインします。', presentPassword: '現在のパスワード', newPassword: '新しいパスワード', passwordHint: '10 文字以上。変更すると、ほかの端末からはサインアウトされます。', changePassword: 'パスワードを変更', passwordChanged: 'パスワードを変更し、ほかの端末からサインアウトしました', calendar: 'カレンダー', calendarWhy: '専用のアドレスを使うと、普段お使いのカレンダーにミーティングを表示できます。アドレスを知っている人は誰でも閲覧できるため、ご注意ください。', calendarOnce: '表示されるのは今回だけです', copy: 'コピー', copied: 'コピーしました', subscribe: 'カレンダーで開く', calendarNew: 'アドレスを発行', calendarNewSure: 'カレンダーのアドレスを発行しますか。以前のアドレスは使えなくなります。', calendarEnd: 'アドレスを無効にする', calendarEndSure: 'カレンダーのアドレスを無効にしますか。登録済みのカレンダーには表示されなくなります。', endOthers: 'ほかの端末からすべてサインアウト', endOthersSure: 'この端末以外からすべてサインアウトしますか。' },
}
export default ja
