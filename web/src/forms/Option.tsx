import { Group, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Item } from './found'

/** A line of a list that opens: the name, and by what people tell it from others of that name. */
export function Option({ item, checked }: { item: Item; checked: boolean }) {
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between" style={{ flex: 1, minWidth: 0 }}>
      <div style={{ minWidth: 0 }}>
        <Text size="sm" lineClamp={2} component="div" c={item.disabled ? 'dimmed' : undefined}>
          {item.label}
        </Text>
        {item.more && (
          <Text size="xs" c="dimmed" lineClamp={1} component="div">
            {item.more}
          </Text>
        )}
      </div>
      {checked && <IconCheck size={16} aria-hidden style={{ flexShrink: 0 }} />}
    </Group>
  )
}
