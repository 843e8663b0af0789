export default {
  broadcasts: {
    title: 'Broadcasts', none: 'No broadcasts yet', noneWhy: 'What is written to everybody, to teams, or to some people by name.', new: 'New broadcast', subject: 'Title', body: 'Text', audience: 'To', everybody: 'Everybody', teams: 'Teams', people: 'People by name', byMail: 'Also by mail', create: 'Save as draft', created: 'The draft is saved', send: 'Send now', sendSure_one: 'Send this to {{count}} person now?', sendSure_other: 'Send this to {{count}} people now?', sending: 'It is on its way', schedule: 'Schedule', scheduledFor: 'To be sent {{when}}', sentAt: 'Sent {{when}}', cancel: 'Cancel it', cancelled: 'Cancelled', delivery: 'Delivery', resend: 'Send again to those who failed', resent: 'It is being sent again', recipients: 'Recipients', by: 'By {{name}}', reach_one: 'reaches {{count}} person', reach_other: 'reaches {{count}} people', noRecipients: 'Nobody in this state', edit: 'Edit the draft', when: 'Date and time', round: 'Attempt {{n}}', filter: 'Show',
  },
  broadcastState: { draft: 'Draft', scheduled: 'Scheduled', sending: 'Being sent', sent: 'Sent', cancelled: 'Cancelled' },
  deliveryState: { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed', uncertain: 'Uncertain' },
} as const
