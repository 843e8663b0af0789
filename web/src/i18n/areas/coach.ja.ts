import type { Complete } from '../messages'
import type en from './coach.en'

const ja: Complete<typeof en> = {
  coach: {
    movedOn: '提案のあとで目標が変わりました', movedOnWhy: 'これは第 {{n}} 版への提案です。その後、{{when}}に{{name}}さんが変更し、現在は第 {{now}} 版のため、このままでは採用できません。以下は第 {{n}} 版に対する変更案です。', seeChanges: '変更内容を見る', askNow: '第 {{n}} 版についてもう一度相談する', intoEditor: '編集画面に取り込む', seeTaken: '採用後の第 {{n}} 版を見る',
    nothingNew: 'すでに目標に含まれている内容の提案です。', choose: '項目ごとに採用するかどうかを選べます。鉛筆のボタンで書き直してから採用することもできます。', otherKind: '測り方の変更', stays: '変更しない：{{value}}', stepLines: '1 行に 1 ステップ', undo: '提案の内容に戻す', reset: '選び直す',
    byRules: '決まった規則', byModel: 'モデル {{name}}', sourceRules: '決まった規則による回答（言語モデルは使っていません）', sourceModel: '言語モデル {{name}} による回答', onRevision: '第 {{n}} 版について', rule: '規則：{{name}}', rulesOnly: 'このコーチは決まった規則で回答しています。言語モデルは使わず、内容がこのサーバーの外に出ることはありません。',
    doing: { draft: 'コーチが主要な成果を考えています', feedback: 'コーチが目標を読んでいます' }, asked: { draft: '主要な成果の提案を依頼', feedback: 'フィードバックを依頼' }, thinks: '考え中…', waitsAgain: '問題が起きたため、まもなく {{n}} 回目を試します…', seconds_other: '{{count}} 秒', mayLeave: 'このページを離れても大丈夫です。戻ってきたときに回答が表示されます。', stopped: '相談は中止されました。', again: 'もう一度相談する',
    rules: {
      'objective-is-outcome': '目標は成果を述べる', 'objective-without-number': '数値は主要な成果に書く', 'objective-has-one-goal': '目標は一つに絞る', 'objective-is-specific': '誰の何がどうなるかを述べる', 'objective-title-not-too-short': '伝わる長さがある', 'objective-title-not-too-long': '覚えられる長さに収める', 'objective-is-worded-positively': '目指す姿で述べる', 'objective-goes-beyond-routine': '日常業務を超える', 'objective-in-plain-words': 'ふだんの言葉で書く', 'objective-says-why': '理由を述べる', 'objective-has-owner': '担当者がいる', 'objective-differs-from-neighbours': 'ほかの目標と重ならない', 'objective-supports-parent': '貢献先につながる',
      'key-results-exist': '主要な成果がある', 'key-results-at-least-two': '主要な成果は 2 つ以上', 'key-results-at-most-five': '主要な成果は 5 つまで', 'key-results-show-effect': '効果を測る', 'key-results-guard-quality': '質を守る指標がある', 'key-result-weights-are-even': '重みの偏りがない', 'key-results-differ': '主要な成果が重ならない', 'key-result-is-measurable': '測ることができる', 'milestone-has-several-steps': 'ステップが複数ある', 'milestone-has-few-steps': 'ステップが多すぎない', 'milestone-spreads-weight': 'ステップの重みが分かれている', 'key-result-is-outcome': '成果を測る', 'key-result-has-baseline': '基準値がある', 'key-result-has-target': '目標値がある', 'key-result-asks-for-change': '変化を求める', 'key-result-stretches': '十分に挑戦的である', 'key-result-within-reach': '手の届く範囲である', 'key-result-baseline-is-known': '基準値を測っている', 'key-result-percent-in-range': '割合の値が妥当である', 'key-result-has-unit': '単位がある', 'key-result-unit-matches-title': '単位と題名が合っている', 'threshold-has-band': '範囲が決まっている', 'threshold-has-tolerance': '許容幅がある',
      'cycle-is-not-over': 'サイクルが終わっていない', 'cycle-has-begun': 'サイクルが始まっている', 'deadline-within-cycle': '期日がサイクル内にある', 'key-result-is-checked-in': 'チェックインしている', 'key-result-explains-low-confidence': '低い自信度の理由がある', 'key-result-still-asks-for-more': 'まだ先を目指している', 'objective-is-well-worded': '目標の文がよい', 'objective-gives-reason': '理由が書かれている', 'key-results-are-few': '主要な成果の数がよい', 'key-results-are-measurable': 'すべて測ることができる', 'key-results-are-balanced': 'バランスがよい', 'objective-fits-parent': '貢献先に合っている', 'key-results-are-checked-in': 'すべてチェックインしている',
      'key-results-measure-outcome': '主要な成果は成果を測る', 'title-is-outcome': '目標は成果を述べる', 'committed-target-in-reach': '必達の目標値は手の届く範囲', 'description-says-why': '理由を述べる',
    },
  },
}
export default ja
