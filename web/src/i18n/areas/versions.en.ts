export default {
  versions: {
    present: 'as it is now', restore: 'Restore this version', title: 'Restore revision {{n}}', why: 'The content becomes what it was at revision {{n}}, as a new revision {{next}}. Nothing is lost: the present one stays in the history.', preview: 'What would change', same: 'The content is the same as now.', stays: 'State, score and check-ins stay as they are.', archives: 'Key result that came later and is archived', bringsBack: 'Key result that comes back', restored: 'Restored as it was at revision {{n}}', cannot: 'This cannot come back', order: 'Order', step: 'Step', keyResult: 'Key result', yes: 'yes', no: 'no',
  },
} as const
