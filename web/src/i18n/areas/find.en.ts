export default {
  find: {
    title: 'Search', label: 'Search for', hint: 'A few words: objectives, people, teams', recent: 'Recently opened', actions: 'Actions', pages: 'Pages', objectives: 'Objectives', people: 'People', teams: 'Teams', all: 'All results for “{{q}}”', none: 'Nothing has all of these words', noneWhy: 'Try fewer words, or other ones.', begin: 'What are you looking for?', beginWhy: 'Objectives are found by their titles and those of their key results, people by name or address, teams by name.', further: 'There may be others: further words find them.', byKeyResult: 'Key result: {{title}}', failed: 'The search did not work. Trying other words may help.',
  },
} as const
