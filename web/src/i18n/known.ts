import i18next from 'i18next'

// The server's words that there are messages for, read off the language that is loaded: every language has the same.
function known(area: 'problem' | 'field' | 'event' | 'failure' | 'notice' | 'deed' | 'deedOf') {
  return {
    has: (code: string): boolean => {
      const messages = i18next.getResource(i18next.language, 'translation', area) as Record<string, string> | undefined
      return messages !== undefined && Object.hasOwn(messages, code)
    },
  }
}

export const problemTypes = known('problem')
export const fieldCodes = known('field')
export const eventKinds = known('event')
export const failureCodes = known('failure')
export const noticeKinds = known('notice')
export const deeds = known('deed')
export const deedsOf = known('deedOf')
