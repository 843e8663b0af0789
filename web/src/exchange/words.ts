import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Problem, Schemas } from '../api/problem'
import { fieldCodes } from '../i18n/known'
import type { ImportRow } from './queries'

function has(area: 'importFailure' | 'importProblem', code: string): boolean {
  const messages = i18next.getResource(i18next.language, 'translation', area) as Record<string, string> | undefined
  return messages !== undefined && Object.hasOwn(messages, code)
}

/** The server's words are English and for developers: people are told by code, in their language. */
export function useImportWords() {
  const { t } = useTranslation()
  const failure = (code: string): string => (has('importFailure', code) ? t(`importFailure.${code as 'empty'}`) : t('importFailure.other', { code }))
  const problem = (p: Schemas['ImportProblem'], row: ImportRow): string => {
    const said = p.column === undefined ? '' : (row.cells[p.column] ?? '')
    const value = said.length > 80 ? `${said.slice(0, 80)}…` : said
    const code = value === '' && p.column !== undefined && (p.code === 'choice' || p.code === 'not-found' || p.code === 'number') ? 'required' : p.code
    const why = has('importProblem', code) ? t(`importProblem.${code as 'number'}`, { value }) : fieldCodes.has(code) ? t(`field.${code as 'required'}`) : t('importProblem.other', { code })
    const header = p.header || (p.field ? t(`importField.${p.field}`) : '')
    return header ? t('imports.column', { header, why }) : why
  }
  /** Why a file was not taken, with the line where the server found out. */
  const refusedFile = (p: Problem): string | undefined => {
    const said = p.body.errors?.find((e) => e.pointer === '')
    if (!said && p.status !== 413) return undefined
    const why = failure(said?.code ?? 'too-large')
    const at = /^line (\d+)\b/i.exec(said?.detail ?? '')
    return at ? t('importFailure.atLine', { n: at[1]!, why }) : why
  }
  return { failure, problem, refusedFile }
}
