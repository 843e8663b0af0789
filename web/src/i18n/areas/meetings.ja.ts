import type { Complete } from '../messages'
import type en from './meetings.en'

const ja: Complete<typeof en> = {
  meetings: {
    title: 'ミーティング', none: 'この期間のミーティングはありません', noneWhy: '議題、アンケート、チェックイン、議事録をひとつの流れで扱えます。', new: 'ミーティングを作成', subject: '件名', place: '場所またはリンク', description: '目的', date: '日付', start: '開始時刻', duration: '時間（分）', repeats: '繰り返し', never: 'なし', weekly: '毎週', biweekly: '隔週', monthly: '毎月', team: 'チーム', noTeam: 'チームなし', attendees: '出席者', agenda: '議題', addAgenda: '議題を追加', agendaItem: '議題 {{n}}', create: 'ミーティングを作成', created: 'ミーティングを作成しました', week: '週', earlier: '前へ', later: '次へ', today: '今日', cancelled: '中止', moved: '日時変更', materials: '資料', survey: '事前アンケート', minutes: '議事録', decisions: '決定事項', decision: '決定事項 {{n}}', addDecision: '決定事項を追加', followUps: 'フォローアップ', checkIns: 'チェックイン', keyResults: 'チェックインする主要な成果', noMinutes: '議事録はまだありません', writeMinutes: '議事録を書く', saveMinutes: '議事録を保存', yourAnswer: '出席しますか', accepted: '出席', tentative: '未定', declined: '欠席', open: '未回答', organizer: '主催 {{name}}', noAgenda: '議題はありません', answer: 'アンケートに答える', answered_other: '回答 {{count}} 件', surveyClosed: 'アンケートは締め切られました', surveyNone: 'アンケートはありません', sendAnswers: '回答を送信', sentAnswers: '回答しました', anonymous: '匿名：誰がどう答えたかは分かりません', results: '結果', resultsLater: '結果はあとで表示されます。', average: '平均 {{n}}', followUpTitle: 'やること', assignee: '担当者', due: '期限', addFollowUp: 'フォローアップを追加', markDone: '完了にする', calendar: 'カレンダーファイル', question: '質問 {{n}}', addQuestion: '質問を追加', scale: '10 段階', choice: '選択', text: '自由記述', scaleLow: 'まったくそう思わない', scaleHigh: 'とてもそう思う', minutesLong: '{{count}} 分', noneYet: 'まだありません', required: '回答必須', remind: '通知', saved: '保存しました', yourTime: 'お使いのタイムゾーン',
  },
}
export default ja
