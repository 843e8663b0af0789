export default {
  talk: {
    earlier: 'Show earlier', edited: 'edited', deleted: 'This comment was deleted.', delete: 'Delete', deleteWhy: 'The words go for good. Its place stays, so that the answers to it still make sense.', edit: 'Edit the comment', comment: 'Comment', unreached: '{{names}} will not be told: they may not see this objective, or are no longer active.',
  },
} as const
