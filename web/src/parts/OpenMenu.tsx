import { Menu } from '@mantine/core'
import { MoreButton, type MoreItem } from './MoreMenu'

export default function OpenMenu({ label, items }: { label: string; items: MoreItem[] }) {
  return (
    <Menu position="bottom-end" defaultOpened>
      <Menu.Target>
        <MoreButton label={label} />
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((item) => (
          <Menu.Item key={item.label} leftSection={item.icon} color={item.danger ? 'poor' : undefined} disabled={item.disabled} onClick={item.act}>
            {item.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
