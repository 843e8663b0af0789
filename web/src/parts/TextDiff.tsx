import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { diffWords } from './diff'

/** A text as it was changed: what went is struck through, what came is underlaid, and both are said to those who listen. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation()
  return (
    <div className="prose">
      {diffWords(before, after).map((p, n) =>
        p.kind === 'same' ? (
          <span key={n}>{p.text}</span>
        ) : p.kind === 'removed' ? (
          <del key={n} className="diff">
            <VisuallyHidden>{t('history.removed')}: </VisuallyHidden>
            {p.text}
          </del>
        ) : (
          <ins key={n} className="diff">
            <VisuallyHidden>{t('history.added')}: </VisuallyHidden>
            {p.text}
          </ins>
        ),
      )}
    </div>
  )
}
