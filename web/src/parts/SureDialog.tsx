import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../api/problem'
import { ProblemNote } from './ProblemNote'

interface Props {
  question: ReactNode
  label: string
  act: () => Promise<unknown>
  close: () => void
  danger?: boolean
}

export default function SureDialog({ question, label, act, close, danger }: Props) {
  const { t } = useTranslation()
  const doing = useMutation({ mutationFn: act, onSuccess: close })
  return (
    <Modal opened onClose={close} title={label} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <Stack>
        <Text size="sm" component="div">
          {question}
        </Text>
        {doing.isError && <ProblemNote problem={problemOf(doing.error)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('do.cancel')}
          </Button>
          <Button color={danger ? 'poor' : undefined} loading={doing.isPending} onClick={() => doing.mutate()} data-autofocus>
            {label}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
