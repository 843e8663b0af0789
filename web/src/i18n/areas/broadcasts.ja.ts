import type { Complete } from '../messages'
import type en from './broadcasts.en'

const ja: Complete<typeof en> = {
  broadcasts: {
    title: 'お知らせ配信', none: 'お知らせはまだありません', noneWhy: '全員、チーム、または特定の人に送るお知らせです。', new: 'お知らせを作成', subject: '件名', body: '本文', audience: '宛先', everybody: '全員', teams: 'チーム', people: '個人を指定', byMail: 'メールでも送る', create: '下書きとして保存', created: '下書きを保存しました', send: '今すぐ送信', sendSure_other: '{{count}} 人に今すぐ送信しますか。', sending: '送信を始めました', schedule: '予約する', scheduledFor: '{{when}} に送信予定', sentAt: '{{when}} に送信', cancel: '中止する', cancelled: '中止しました', delivery: '配信状況', resend: '失敗した人に再送', resent: '再送を始めました', recipients: '受信者', by: '作成者 {{name}}', reach_other: '{{count}} 人に届きます', noRecipients: '該当する人はいません', edit: '下書きを編集', when: '日時', round: '{{n}} 回目', filter: '表示', cancelSure: '「{{title}}」の送信を取りやめます。', cancelSending: '「{{title}}」の残りの送信を中止します。すでに届いた人からは取り消されません。', byMailWhy: '全員の通知に届き、希望する人にはメールでも送られます。', andOthers_other: 'ほか {{count}} 人', reachWhy: '現時点の人数です。送信時に宛先に含まれる人に届きます。', progress: '{{all}} 人中 {{done}} 人まで完了', resendUncertain: '一部の人に再送', mailAndInbox: '通知とメール', inboxOnly: '通知のみ', resendTitle: '再送', resendWhy_other: '「{{title}}」を、届かなかった {{count}} 人に同じ内容のメールでもう一度送ります。ほかの人に重ねて届くことはありません。', resendNone: '該当する人はもういません。', uncertainWhy: '届いたかどうかを確認できない人です。選んだ人には 2 通届く可能性があります。', uncertainTitle: '不明', failedTitle: '失敗', resendCount_other: '{{count}} 人に再送する',
  },
  broadcastState: { draft: '下書き', scheduled: '予約済み', sending: '送信中', sent: '送信済み', cancelled: '中止' },
  deliveryState: { waiting: '待機中', delivered: '配信済み', failed: '失敗', uncertain: '不明' },
}
export default ja
