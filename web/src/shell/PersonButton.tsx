import { Avatar, UnstyledButton, type UnstyledButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { useTranslation } from 'react-i18next'
import { initials } from '../parts/Badges'
import { useMe } from '../session/me'

/** Opens what belongs to whoever is signed in; that itself is loaded when it is first asked for. */
export function PersonButton(props: UnstyledButtonProps & ComponentPropsWithRef<'button'>) {
  const { t } = useTranslation()
  const me = useMe()
  return (
    <UnstyledButton aria-haspopup="dialog" aria-label={`${t('nav.account')}: ${me.user.name}`} style={{ borderRadius: '50%' }} {...props}>
      <Avatar size={34} src={me.icon_url} alt="" color="ai">
        {initials(me.user.name)}
      </Avatar>
    </UnstyledButton>
  )
}
