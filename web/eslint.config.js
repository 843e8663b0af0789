import hooks from 'eslint-plugin-react-hooks'
import ts from 'typescript-eslint'

export default ts.config(
  { ignores: ['dist', 'src/api/schema.gen.ts', 'e2e/output'] },
  ...ts.configs.recommended,
  hooks.configs.flat['recommended-latest'],
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Requests go through src/api/client.ts, which sends again what may be sent again.' }, { name: 'parseFloat', message: 'Amounts are decimal strings.' }],
      'react-hooks/set-state-in-effect': 'off', // state that follows what the server says is set where that arrives
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
)
