import type { Complete } from '../messages'
import type en from './news.en'

const ja: Complete<typeof en> = { news: { filter: '種類で絞り込む', said: 'コメント・指名', reviews: 'レビュー', checkIns: 'チェックイン', meetings: 'ミーティング', broadcasts: 'お知らせ', others: 'その他', markDay: 'この日をすべて既読にする', markAllWhy: 'すべて既読にするには、絞り込みを解除してください', noneOfThese: 'この種類の通知はありません' } }
export default ja
