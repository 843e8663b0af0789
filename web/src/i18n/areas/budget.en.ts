export default {
  budget: { off: 'The rules coach answers here: the organisation has switched models off.', unbounded: '{{used}} tokens this month, without a bound', month: 'The model’s tokens this month', usedOf: '{{used}} of {{all}}', held: '{{held}} are held for questions that have no answer yet', exhausted: 'The model’s tokens of this month are used up. The rules coach answers all the same; the month begins anew on {{day}}.', anew: 'The month begins anew on {{day}}.', askRules: 'Ask the rules coach' },
} as const
