import type { Complete } from '../messages'
import type en from './broadcasts.en'

const ja: Complete<typeof en> = {
  broadcasts: {
    title: 'お知らせ配信', none: 'お知らせはまだありません', noneWhy: '全員、チーム、または特定の人に送るお知らせです。', new: 'お知らせを作成', subject: '件名', body: '本文', audience: '宛先', everybody: '全員', teams: 'チーム', people: '個人を指定', byMail: 'メールでも送る', create: '下書きとして保存', created: '下書きを保存しました', send: '今すぐ送信', sendSure_other: '{{count}} 人に今すぐ送信しますか。', sending: '送信を始めました', schedule: '予約する', scheduledFor: '{{when}} に送信予定', sentAt: '{{when}} に送信', cancel: '中止する', cancelled: '中止しました', delivery: '配信状況', resend: '失敗した人に再送', resent: '再送を始めました', recipients: '受信者', by: '作成者 {{name}}', reach_other: '{{count}} 人に届きます', noRecipients: '該当する人はいません', edit: '下書きを編集', when: '日時', round: '{{n}} 回目', filter: '表示',
  },
  broadcastState: { draft: '下書き', scheduled: '予約済み', sending: '送信中', sent: '送信済み', cancelled: '中止' },
  deliveryState: { waiting: '待機中', delivered: '配信済み', failed: '失敗', uncertain: '不明' },
}
export default ja
