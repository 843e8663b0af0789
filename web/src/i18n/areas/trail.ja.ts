import type { Complete } from '../messages'
import type en from './trail.en'

const ja: Complete<typeof en> = {
  trail: { anybody: '全員', about: '対象', anything: 'すべて', from: '開始日', to: '終了日', target: '対象の ID', zone: '日付は {{zone}} で区切られます。', none: '条件に合う記録はありません', noneYet: 'ここまでの範囲には見つかりませんでした。「さらに表示」でさらにさかのぼれます。', download: 'CSV をダウンロード', reading_other: '{{count}} 件を読み込みました…', more_other: '件数が多いため、新しい順に {{count}} 件までを出力しました。続きは期間を絞って出力してください。', program: 'プログラム', details: '詳細', request: 'リクエスト' },
}
export default ja
