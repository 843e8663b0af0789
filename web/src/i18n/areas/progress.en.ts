export default {
  standing: {
    title: 'Where it stands', tabs: 'Parts of the cycle', tabStanding: 'Progress', toList: 'All objectives as a list', over: 'Over', daysInAll_one: '{{count}} day in all', daysInAll_other: '{{count}} days in all',
    ahead_one: '{{count}} point ahead of the expected {{expected}}', ahead_other: '{{count}} points ahead of the expected {{expected}}', behind_one: '{{count}} point behind the expected {{expected}}', behind_other: '{{count}} points behind the expected {{expected}}', even: 'as expected: {{expected}}',
    withheld: 'not shown', withheldWhy: 'So few objectives count here that their number would give one away that you may not see.', coarse: 'Only whole percents are shown here, so that no single objective can be told from them.', nothingCounts: 'Nothing counts yet: objectives do once they are approved.',
    anyOffTrack_one: '{{count}} with a key result off track', anyOffTrack_other: '{{count}} with a key result off track', outdated_one: '{{count}} without a recent check-in', outdated_other: '{{count}} without a recent check-in',
    teams: 'Health by team', noTeams: 'There are no teams yet', noObjectives: 'no objectives', objectives_one: '{{count}} objective', objectives_other: '{{count}} objectives', allTeams: 'Show all {{count}} teams', fewerTeams: 'Show fewer', teamsFine: 'No team has an objective off track.',
    teamsNeed_one: 'One team has objectives off track: {{name}}, with {{n}} of {{all}}.', teamsNeed_other: '{{count}} teams have objectives off track. The most has {{name}}: {{n}} of {{all}}.',
    noneThen: 'You had no objective in this cycle then.', allMine: 'All of mine', missing: 'Who is missing', noObjectiveYet: 'Without an objective', silent: 'Without a recent check-in', silentSince: 'since {{date}}', nobodyMissing: 'Everybody has an objective, and every objective its check-ins.', moreMissing: 'There are more.', byMember: 'By member', ofMember_one: '{{count}} objective', ofMember_other: '{{count}} objectives', burnUpOf: 'How {{name}} came along',
  },
  burnUp: {
    title: 'Day by day', progress: 'Progress', expected: 'Expected pace', day: 'Day', point: '{{day}}: {{percent}}, expected {{expected}}', none: 'No day has been recorded yet. From tomorrow on, there is a picture here.',
    ahead_one: 'On {{day}} progress is {{percent}}, {{count}} point ahead of the expected {{expected}}.', ahead_other: 'On {{day}} progress is {{percent}}, {{count}} points ahead of the expected {{expected}}.', behind_one: 'On {{day}} progress is {{percent}}, {{count}} point behind the expected {{expected}}.', behind_other: 'On {{day}} progress is {{percent}}, {{count}} points behind the expected {{expected}}.', even: 'On {{day}} progress is {{percent}}, as expected.',
  },
  asOf: { open: 'An earlier day', day: 'Day', hint: 'How it stood when this day ended', banner: 'As it was on {{day}}', why: 'This is the past. Nothing can be changed here.', back: 'Back to today', figuresOf: 'The figures are those of {{day}}.', notRecorded: 'No figures were recorded by then.', notYet: 'It was not there yet', notYetWhy: 'This objective was written after {{day}}.' },
} as const
