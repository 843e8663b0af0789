export default {
  list: {
    more: 'More filters', fewer: 'Fewer filters', text: 'Search in titles', textHint: 'A word or two', anyHealth: 'Every health', order: 'Order', created: 'Oldest first', newest: 'Newest first', title: 'By title', 'least-progress': 'Least progress first', 'most-progress': 'Most progress first', titleNot: 'By title or by progress only without a team or an owner', outdated: 'Without a check-in for too long', objective: 'Objective', health: 'Health', changed: 'Changed', looked: 'Nothing found so far. There are more objectives to look through.', found_one: '{{count}} shown', found_other: '{{count}} shown', foundMore_one: '{{count}} shown, there are more', foundMore_other: '{{count}} shown, there are more', score: 'Score {{score}}', 
  },
} as const
