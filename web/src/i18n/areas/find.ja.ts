import type find from './find.en'
import type { Complete } from '../messages'

export default {
  find: {
    title: '検索', label: '検索する言葉', hint: '目標・人・チームの名前の一部', recent: '最近開いたもの', actions: '操作', pages: '画面', objectives: '目標', people: '人', teams: 'チーム', all: '「{{q}}」の検索結果をすべて表示', none: 'すべての言葉を含むものは見つかりませんでした', noneWhy: '言葉を減らすか、別の言葉でお試しください。', begin: '何をお探しですか', beginWhy: '目標はタイトルと主要な成果から、人は名前とメールアドレスから、チームは名前から探せます。', further: 'ほかにもある可能性があります。言葉を足して絞り込んでください。', byKeyResult: '主要な成果：{{title}}', failed: '検索できませんでした。別の言葉でお試しください。',
  },
} satisfies Complete<typeof find>
