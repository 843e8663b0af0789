import type { Complete } from '../messages'
import type en from './budget.en'

const ja: Complete<typeof en> = {
  budget: { off: '組織の設定で言語モデルを使わないため、ルールコーチがお答えします。', unbounded: '今月のトークン数: {{used}}（上限なし）', month: '今月のトークン', usedOf: '{{all}} 中 {{used}}', held: '回答待ちの質問のために {{held}} を確保しています', exhausted: '今月のトークンを使い切りました。ルールコーチは引き続きご利用いただけます。{{day}}に新しい月が始まります。', anew: '{{day}}に新しい月が始まります。', askRules: 'ルールコーチに聞く' },
}
export default ja
