import type { Complete } from '../messages'
import type en from './hooks.en'

const ja: Complete<typeof en> = {
  hooks: { lead: '起きた出来事を、署名を付けてほかのシステムに知らせます。本文の内容は含まれません。', none: 'Webhook がまだありません', noneWhy: '目標の承認などの出来事を、指定した URL に送信します。チャットやレポート、自動化にお使いください。', new: 'Webhook を作成', edit: 'Webhook を編集', one: 'Webhook 連携', everything: 'すべて', kindsCount_other: '{{count}} 種類の出来事', changed: '{{name}}さんが変更（{{when}}）', on: '有効', off_person: '無効', off_gone: '無効（送信先が終了と回答）', off_failing: '無効（失敗が続いたため）', why_gone: '送信先から、終了したとの回答がありました。復旧したら有効にしてください。', why_failing: '50 回連続で失敗しました。有効にすると、失敗の回数はリセットされます。', failing_other: '{{count}} 回失敗', address: '送信先 URL', addressHint: '暗号化された接続の URL のみ使えます', about: '知らせる出来事', aboutHint: '選んだ対象に関するすべての出来事', content: '送信されるのは「何に起きたか」だけで、本文の内容は含まれません。', secretTitle: 'シークレット', secretOnce: '表示されるのは今回だけです。受信側で使えるように保管してください。', secretUse: '送信内容はすべてこのシークレットで署名されます。受信側で真正性を確認できます。', copy: 'コピー', copied: 'コピーしました', keptIt: '保管しました', enabled: '出来事を送信する', test: 'テスト送信', testSent: 'テストを送信しています', rotate: 'シークレットを変更', rotateSure: '24 時間は新旧両方のシークレットで署名します。その間に受信側を切り替えてください。', bothUntil: '{{when}}まで新旧両方で署名', delete: '削除', deleteSure: 'この Webhook を削除しますか。送信待ちのものは送信されなくなります。', deliveries: '送信履歴', show: '表示', noDeliveries: 'まだ何も送信していません', noDeliveriesWhy: 'テスト送信をするか、出来事が起きるのをお待ちください。履歴は 30 日間保管されます。', attempts_other: '{{count}} 回試行', payload: '送信内容', resend: '再送' },
  hookDelivery: { waiting: '送信中', delivered: '送信済み', failed: '失敗' },
}
export default ja
