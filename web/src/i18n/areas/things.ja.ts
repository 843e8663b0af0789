import type { Complete } from '../messages'
import type en from './things.en'

const ja: Complete<typeof en> = {
  thing: { objective: '目標', check_in: 'チェックイン', comment: 'コメント', cycle: 'サイクル', team: 'チーム', member: 'メンバー', invitation: '招待', dialogue: '対話', message: 'メッセージ', job: 'コーチへの質問', suggestion: '提案', meeting: 'ミーティング', occurrence: '各回のミーティング', minutes: '議事録', follow_up: 'フォローアップ', broadcast: 'お知らせ', import: 'インポート', organization: '組織', webhook: 'Webhook 連携', key_result: '主要な成果', session: 'セッション', token: 'トークン', notification: '通知', other: 'その他' },
}
export default ja
