export default {
  front: {
    allMine: 'All my objectives', mineNoneThen: 'You had no objective in this cycle then.', noCycleThen: 'There was no cycle yet.', otherKeyResults_one: '{{count}} other key result', otherKeyResults_other: '{{count}} other key results', cycle: 'The cycle', cycleMore: 'More about the cycle', organization: 'The organisation', teams: 'My teams', allTeams: 'All teams', progressOf: 'Progress: {{name}}',
    withheld: 'So few objectives count here that their figures are not shown.', noneApproved: 'No objective has been approved yet.', recomputing: 'The figures are being computed anew.', missing: 'What is missing', noObjective: 'Without an objective', silent: 'Not checked in for long', silentSince: 'since {{date}}', teamsWithout: 'Teams without an objective', showAll: 'Show all', andMaybeMore: 'and maybe others',
  },
} as const
