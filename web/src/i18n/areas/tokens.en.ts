export default {
  tokens: {
    title: 'API tokens', lead: 'For programs that read or write in your name, such as reports and integrations. A token may do what you may, and nothing more.', docs: 'How to use the API', whose: 'Whose tokens', own: 'Mine', all: 'Everybody’s', none: 'No token yet', noneWhy: 'Make one when a program is to use Kakeai in your name.', noneAll: 'Nobody has a token',
    make: 'Make a token', name: 'What is it for?', nameHint: 'So that you know it again, such as “Nightly report”.', scope: 'What it may do', read: 'Read only', readWhy: 'See what you may see. It changes nothing.', write: 'Read and write', writeWhy: 'Also change what you may change, in your name.', days: 'How long it holds', daysCount_one: '{{count}} day', daysCount_other: '{{count}} days', oneYear: '1 year',
    ends: 'It ends earlier when you revoke it, change your password or remove a way to sign in, or are suspended.', made: '“{{name}}” is ready', copyNow: 'Copy it now. It is shown this once and cannot be shown again.', secret: 'The token', copy: 'Copy', copied: 'Copied', keep: 'Treat it like a password: whoever has it can act in your name.', use: 'Send it with each request:', done: 'I have copied it',
    until: 'until {{when}}', soon: 'ends soon', created: 'made {{when}}', used: 'last used {{when}} from {{address}}', unused: 'not used yet', revoke: 'Revoke', revokeSure: 'Revoke “{{name}}”? Programs that use it will be refused from that moment on.', revoked: 'Revoked',
  },
} as const
