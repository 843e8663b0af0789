import type { Complete } from '../messages'
import type en from './progress.en'

const ja: Complete<typeof en> = {
  standing: {
    title: '現在の状況', tabs: 'サイクルの表示内容', tabStanding: '進捗', toList: 'すべての目標を一覧で見る', over: '終了', daysInAll_other: '全 {{count}} 日',
    ahead_other: '想定 {{expected}} を {{count}} ポイント上回っています', behind_other: '想定 {{expected}} を {{count}} ポイント下回っています', even: '想定どおり（{{expected}}）',
    withheld: '非表示', withheldWhy: '対象の目標が少なく、数値から閲覧できない目標の内容が分かってしまうため、表示していません。', coarse: '個々の目標が特定されないよう、整数の割合だけを表示しています。', nothingCounts: '集計対象の目標はまだありません。承認された目標から集計されます。',
    anyOffTrack_other: '遅れている主要な成果を含む目標 {{count}} 件', outdated_other: 'チェックインが途絶えている目標 {{count}} 件',
    teams: 'チーム別の状況', noTeams: 'チームはまだありません', noObjectives: '目標なし', objectives_other: '目標 {{count}} 件', allTeams: '全 {{count}} チームを表示', moreTeams: '全 {{all}} チームからさらに {{count}} チームを表示', fewerTeams: '表示を減らす', teamsFine: '遅れている目標のあるチームはありません。',
    teamsNeedOnly: '遅れている目標があるのは「{{name}}」だけで、{{all}} 件中 {{n}} 件です。', teamsNeed_other: '{{count}} チームに遅れている目標があります。最も多いのは「{{name}}」で、{{all}} 件中 {{n}} 件です。',
    noneThen: 'この時点では、このサイクルに自分の目標はありませんでした。', allMine: '自分の目標をすべて見る', missing: '未設定・未報告', noObjectiveYet: '目標を設定していない人', silent: 'チェックインが途絶えている目標', silentSince: '{{date}}から', nobodyMissing: '全員が目標を設定し、チェックインも行われています。', moreMissing: 'ほかにもあります。', byMember: 'メンバー別', ofMember_other: '目標 {{count}} 件', burnUpOf: '「{{name}}」の推移',
  },
  burnUp: {
    title: '日ごとの推移', progress: '進捗', expected: '想定ペース', day: '日付', point: '{{day}}：{{percent}}（想定 {{expected}}）', none: 'まだ記録がありません。明日から、ここにグラフが表示されます。',
    ahead_other: '{{day}}の進捗は {{percent}} で、想定の {{expected}} を {{count}} ポイント上回っています。', behind_other: '{{day}}の進捗は {{percent}} で、想定の {{expected}} を {{count}} ポイント下回っています。', even: '{{day}}の進捗は {{percent}} で、想定どおりです。',
  },
  asOf: { day: '日付', hint: 'この日が終わった時点の状況を表示します', banner: '{{day}}時点の状況', why: '過去の内容です。ここでは何も変更できません。', back: '現在に戻る', figuresOf: '集計値は{{day}}のものです。', notRecorded: 'この時点の集計は記録されていません。', notYet: 'この時点ではまだありませんでした', notYetWhy: 'この目標は{{day}}よりあとに作成されました。' },
}
export default ja
