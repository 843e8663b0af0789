import type { Complete } from '../messages'
import type en from './lists.en'

const ja: Complete<typeof en> = {
  list: {
    more: '条件を増やす', fewer: '条件を減らす', text: 'タイトルで検索', textHint: '言葉の一部', anyHealth: 'すべての状況', order: '並び順', created: '作成が古い順', newest: '作成が新しい順', title: 'タイトル順', 'least-progress': '進捗が低い順', 'most-progress': '進捗が高い順', titleNot: 'タイトル順と進捗順は、チームと担当者を指定しないときに使えます', outdated: 'チェックインが滞っているもの', objective: '目標', health: '状況', changed: '更新', looked: 'ここまでに該当する目標はありません。続きを探せます。', found_other: '{{count}} 件を表示', foundMore_other: '{{count}} 件を表示（続きあり）', score: 'スコア {{score}}', 
  },
}
export default ja
