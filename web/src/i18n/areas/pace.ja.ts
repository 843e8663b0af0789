import type { Complete } from '../messages'
import type en from './pace.en'

const ja: Complete<typeof en> = {
  pace: {
    title: '「{{health}}」の理由', expected: 'サイクル {{all}} 日中 {{day}} 日目。現時点の目安は {{e}}%、実際は {{p}}% です。', on_track: '「順調」は、目安からの遅れが 10 ポイント以内の状態です。', at_risk: '「注意」は、目安からの遅れが 10 ポイントを超え、30 ポイント以内の状態です。', off_track: '「遅れ」は、目安からの遅れが 30 ポイントを超えた状態です。', pending: '「未報告」は、どの主要な成果にもまだチェックインがない状態です。', outdated: '「更新なし」は、組織の頻度に 3 日を加えた期間よりも長くチェックインがない状態です。', drags: '特に遅れている主要な成果', behind: '{{p}}%（目安 {{e}}%）', never: 'チェックインなし', weights: '目標の進捗は、主要な成果の進捗を重みで平均したものです。目標値を超えた分は含みません。',
    last: '最近のチェックイン', onPace: '今日時点の目安：{{value}}', onPacePercent: '今日時点の目安：{{e}}%', band: '範囲内であれば満点として数えます。', tolerance: '範囲を外れると、離れるほど進捗が下がり、{{value}}以上離れると 0 になります。', noTolerance: '範囲を外れると 0 になります。', stretch: '目標値は {{target}}、その先のストレッチ値は {{stretch}} です。', range: '{{a}}から{{b}}へ。', share: '{{all}} のうち {{n}}', stepHint: '進捗は、完了したステップの重みの割合です。', correcting: '{{when}}に{{name}}さんが入力した {{value}} を訂正します', hiddenParent: '閲覧権限のない目標', carriedFrom: '引き継ぎ元', carriedLink: '以前のサイクル', flagged: '貢献先が引き継がれていません。「編集」で新しい貢献先を選んでください。',
    scoreRed: '未達', scoreYellow: '一部達成', scoreGreen: '達成', committedNote: '必達目標です。1.0 未満の場合はコメントが必要です。', bands: '0.0～0.3 未達、0.4～0.6 一部達成、0.7～1.0 達成',
  },
}
export default ja
