import type { Complete } from '../messages'
import type en from './versions.en'

const ja: Complete<typeof en> = {
  versions: {
    present: '現在の内容', restore: 'この版に戻す', title: '第 {{n}} 版に戻す', why: '内容が第 {{n}} 版のものに戻り、新しい第 {{next}} 版になります。今の内容も履歴に残ります。', preview: '変わる項目', same: '内容は現在と同じです。', stays: '状態、スコア、チェックインは変わりません。', archives: 'あとから追加されたためアーカイブされる主要な成果', bringsBack: '元に戻る主要な成果', restored: '第 {{n}} 版の内容に戻しました', cannot: '元に戻せない項目があります', order: '並び順', step: 'ステップ', keyResult: '主要な成果', yes: 'はい', no: 'いいえ',
  },
}
export default ja
