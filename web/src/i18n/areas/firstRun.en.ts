export default {
  firstRun: {
    title: 'Three minutes to your first objective', lead: 'Four small steps. You can change everything later, and leave at any time: this goes on where you were.', dismiss: 'I know my way around', done: 'Done', skip: 'Later',
    cycle: 'When: a cycle', cycleWhy: 'Objectives are set for a span of time, mostly a quarter.', cycleDo: 'Begin this cycle', quarter: 'Q{{n}} {{year}}', activate: '“{{name}}” is in preparation. Check-ins become possible once it is active.', activateDo: 'Make it active',
    team: 'Who: a team', teamWhy: 'A team shares objectives, and its lead reviews them. You will lead this one; others can take over.', teamDo: 'Make the team', teamPlaceholder: 'Product',
    invite: 'With whom: colleagues', inviteWhy: 'Each gets a mail with a link that holds for a week.', inviteLabel: 'E-mail addresses', inviteHint: 'Separated by commas, spaces or lines', inviteDo: 'Send the invitations', notInvited: 'Not invited: {{list}}', inviteNone: 'Write at least one address.',
    objective: 'What: your first objective', objectiveWhy: 'One sentence about what should be better by the end. The coach helps with the key results.', objectiveDo: 'Write the first objective',
  },
} as const
