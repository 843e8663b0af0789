import { Alert, Button, Card } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../parts/Page'
import { Empty } from '../parts/States'

/** What somebody sees of a mistake of ours, or of a page whose files a newer release has replaced. */
function Crashed() {
  const { t } = useTranslation()
  return (
    <Page title={t('state.crashed')} narrow>
      <Card>
        <Empty title={t('state.crashedWhy')} action={<Button onClick={() => location.reload()}>{t('do.reload')}</Button>} />
      </Card>
    </Page>
  )
}

/** Keeps a mistake on one page from taking the frame with it. */
export class Mistakes extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    return this.state.crashed ? <Crashed /> : this.props.children
  }
}

function PartCrashed({ again }: { again: () => void }) {
  const { t } = useTranslation()
  return (
    <Alert role="alert" color="poor" icon={<IconAlertTriangle />} title={t('state.partCrashed')}>
      <Button size="xs" variant="default" onClick={again}>{t('do.again')}</Button>
    </Alert>
  )
}

/** Keeps a mistake in one part of a page from taking the others with it. */
export class Apart extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    return this.state.crashed ? <PartCrashed again={() => this.setState({ crashed: false })} /> : this.props.children
  }
}
