// Writes src/api/schema.gen.ts from the server's description; with --check, says whether what is there is what would be written.
import { readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'

const source = new URL('../../internal/api/openapi.yaml', import.meta.url)
const target = new URL('../src/api/schema.gen.ts', import.meta.url)
const written = '// Code generated from internal/api/openapi.yaml by make generate. DO NOT EDIT.\n\n' + astToString(await openapiTS(source, { defaultNonNullable: false }))
if (process.argv.includes('--check')) {
  if ((await readFile(target, 'utf8').catch(() => '')) !== written) {
    console.error('web/src/api/schema.gen.ts is not what openapi.yaml says: run make generate')
    process.exit(1)
  }
} else {
  await writeFile(target, written)
}
