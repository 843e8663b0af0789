import type { Complete } from '../messages'
import type en from './talk.en'

const ja: Complete<typeof en> = {
  talk: {
    earlier: '以前のものを表示', edited: '編集済み', deleted: 'このコメントは削除されました。', delete: '削除', deleteWhy: '本文は完全に削除されます。返信の流れが分かるように、場所だけが残ります。', edit: 'コメントを編集', comment: 'コメント', unreached: '{{names}}さんには通知されません。この目標を閲覧できないか、有効なメンバーではありません。',
  },
}
export default ja
