import type { Complete } from '../messages'
import type en from './tree.en'

const ja: Complete<typeof en> = {
  tree: {
    label: '貢献関係で見る目標', objective: '目標', owner: '担当者', progress: '進捗', health: '状況', keys: '矢印キーで行の移動と開閉、確定キーで目標を開けます。', foldAll: 'すべて閉じる', fold: '「{{title}}」を閉じる', unfold: '「{{title}}」を開く',
    none: 'このサイクルの目標はまだありません', noneWhy: '目標に貢献先を設定すると、つながりをここで確認できます。', nothingBeneath: '閲覧できる目標はありません', notThere: 'この目標はツリーにないか、閲覧できません。', supports: '支援先',
    beneath_other: '貢献する目標 {{count}} 件', manyBeneath_other: '貢献する目標 {{count}} 件以上', supportedBy_other: '{{count}} 件から支援', supportsSome_other: '{{count}} 件を支援', parentHidden: '貢献先は閲覧できません', parentElsewhere: '貢献先はこのツリーの外にあります',
  },
  place: {
    title: '目標のつながり', path: '貢献先', hidden: '閲覧できない目標', inTree: 'ツリーで見る', root: 'ほかの目標への貢献は設定されていません。', children: 'この目標に貢献する目標', childrenNone: 'この目標に貢献する目標はまだありません。', contributors: '貢献する目標', contributorsTo: '「{{title}}」に貢献する目標', contributorsNone: 'この主要な成果に貢献する目標のうち、閲覧できるものはありません。', supported: '支援先', supportedNone: '支援している目標はありません。', supporters: '支援元', supportersNone: 'この目標を支援している目標はありません。',
    add: '支援先を追加', addTitle: 'ほかの目標を支援する', addWhy: '貢献先とは別に、ほかの目標の助けになることを示します。進捗などの数値は変わりません。', find: '目標を検索', findHint: '目標名の一部を入力', nothing: '見つかりません', narrow: 'ほかにもあります。続けて入力してください。', choose: '「{{title}}」を支援する', remove: '解除', removeOne: '「{{title}}」への支援を解除', removeSure: '「{{title}}」への支援を解除しますか。', added: '支援先を追加しました', removed: '支援を解除しました', already: '追加済み', tooMany: '支援先は 50 件までです。',
    confidence: '自信度の推移', confidenceOf: '自信度', confidenceNone: '自信度を記録したチェックインはまだありません。', confidenceUp: '自信度の平均は、最初のチェックインから {{n}} 上がり、10 段階中 {{now}} です。', confidenceDown: '自信度の平均は、最初のチェックインから {{n}} 下がり、10 段階中 {{now}} です。', confidenceEven: '自信度の平均は、最初のチェックインと変わらず、10 段階中 {{now}} です。', earlier: '各成果について、最新の 60 件だけを表示しています。', when: '日時',
  },
}
export default ja
