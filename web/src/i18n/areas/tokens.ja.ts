import type { Complete } from '../messages'
import type en from './tokens.en'

const ja: Complete<typeof en> = {
  tokens: {
    title: 'API トークン', lead: '集計や連携などのプログラムが、あなたの代わりに読み書きするためのものです。トークンにできるのは、あなたにできることだけです。', docs: 'API の使い方', whose: '表示するトークン', own: '自分', all: '全員', none: 'トークンはまだありません', noneWhy: 'プログラムからあなたの権限で利用するときに作成します。', noneAll: 'トークンを持つメンバーはいません',
    make: 'トークンを作成', name: '用途', nameHint: '「夜間の集計」など、あとで見分けられる名前を付けます。', scope: '許可する操作', read: '読み取りのみ', readWhy: 'あなたが閲覧できる内容を読み取ります。何も変更しません。', write: '読み取りと書き込み', writeWhy: 'あなたに許可されている変更も、あなたの名前で行います。', days: '有効期間', daysCount_other: '{{count}} 日', oneYear: '1 年',
    ends: '期間内でも、取り消したとき、パスワードを変更したりサインイン方法を削除したりしたとき、利用を停止されたときは無効になります。', made: '「{{name}}」を作成しました', copyNow: '今すぐコピーしてください。表示されるのはこの一度だけです。', secret: 'トークン', copy: 'コピー', copied: 'コピーしました', keep: 'パスワードと同じように扱ってください。持っている人は、あなたの名前で操作できます。', use: '各リクエストに付けて送ります：', done: 'コピーしました。閉じる',
    until: '{{when}} まで', soon: 'まもなく期限', created: '{{when}} に作成', used: '最終使用 {{when}}（{{address}}）', unused: '未使用', revoke: '取り消す', revokeSure: '「{{name}}」を取り消しますか。使用中のプログラムは、その時点から利用できなくなります。', revoked: '取り消しました',
  },
}
export default ja
