export default {
  thing: { objective: 'Objectives', check_in: 'Check-ins', comment: 'Comments', cycle: 'Cycles', team: 'Teams', member: 'Members', invitation: 'Invitations', dialogue: 'Dialogues', message: 'Messages', job: 'Questions to the coach', suggestion: 'Proposals', meeting: 'Meetings', occurrence: 'Single meetings', minutes: 'Minutes', follow_up: 'Follow-ups', broadcast: 'Broadcasts', import: 'Imports', organization: 'The organisation', webhook: 'Webhooks', key_result: 'Key results', session: 'Sessions', token: 'Tokens', notification: 'Notifications', other: 'Other' },
} as const
