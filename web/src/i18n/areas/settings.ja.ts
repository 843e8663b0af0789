import type { Complete } from '../messages'
import type en from './settings.en'

const ja: Complete<typeof en> = {
  settingsPage: { general: '基本設定', checkIns: 'チェックイン', coach: 'コーチ', time_zone: 'タイムゾーン', zoneHint: '日付の区切りに使われます', localeHint: '招待メールと、ブラウザーに指定がない場合に使われます', cadence: 'チェックインの頻度', cadenceHint: 'これより古いものは「更新切れ」になります', weekly: '毎週', biweekly: '2 週間ごと', monthly: '毎月', grace_days: '猶予日数', graceHint: 'サイクル終了後もチェックインを受け付ける日数', graceRange: '0 から 90 で入力してください。', ai_enabled: '言語モデルの利用を許可する', aiHint: 'オフにすると、すべてルールコーチが回答し、書かれた内容がモデルに送られることはありません。', ai_monthly_tokens: '月間トークン数の上限', tokensHint: '暦月ごとの上限です。空欄は上限なし。質問 1 件につき、回答まで 20,000 を確保します。', tokensRange: '1,000,000,000,000 以下の整数で入力してください。', unbounded: '上限なし', on: 'オン', off: 'オフ', onlyAdmins: '変更できるのは管理者とオーナーです。', whoAnswers: '回答するコーチ', rules: 'ルールコーチ', calls: '今月のモデルへの質問数', inputTokens: '入力トークン', outputTokens: '出力トークン', noModel: 'モデルが設定されていないか、このサーバーに伝えられていません。サーバーの管理者が環境変数で指定します。' },
}
export default ja
