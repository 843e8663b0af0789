import type front from './front.en'
import type { Complete } from '../messages'

export default {
  front: {
    allMine: '自分の目標をすべて表示', mineNoneThen: 'この日の時点では、このサイクルに自分の目標はありませんでした。', noCycleThen: 'この日の時点では、サイクルがまだありませんでした。', otherKeyResults_other: 'ほか {{count}} 件の主要な成果', cycle: 'サイクルの状況', cycleMore: 'サイクルの詳細', organization: '組織全体', teams: '自分のチーム', allTeams: 'すべてのチーム', progressOf: '{{name}}の進捗',
    withheld: '対象の目標が少ないため、集計は表示されません。', noneApproved: '承認済みの目標はまだありません。', recomputing: '集計し直しています。', missing: '対応が必要なもの', noObjective: '目標が未設定のメンバー', silent: 'チェックインが途絶えている目標', silentSince: '{{date}}から更新なし', teamsWithout: '目標のないチーム', showAll: 'すべて表示', andMaybeMore: 'ほか',
  },
} satisfies Complete<typeof front>
