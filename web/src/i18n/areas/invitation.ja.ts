import type { Complete } from '../messages'
import type en from './invitation.en'

const ja: Complete<typeof en> = {
  invitation: {
    title: 'ご招待', join: '{{name}}に参加', by: '{{name}}さんが、Kakeai の「{{organization}}」に招待しています。', for: '宛先', as: '権限', until: 'リンクの有効期限: {{when}}', accept: '招待を受ける', hasAccount: 'このメールアドレスのアカウントがすでにあります。アカウントはそのまま使えます。招待を受けたあと、サインインしてください。', name: 'お名前', passwordHint: '10 文字以上', zone: 'タイムゾーンは {{zone}} です。アカウントの設定でいつでも変更できます。', create: 'アカウントを作成して参加', joined: '{{name}}へようこそ', signInNow: '参加が完了しました。サインインして始めましょう。',
    otherPerson: '別の方がサインインしています', otherPersonWhy: '現在 {{present}} でサインインしていますが、この招待は {{invited}} 宛てです。正しいアカウントで参加できるよう、先にサインアウトしてください。', signOutFirst: 'サインアウトして続ける', stay: '{{name}}さんのまま続ける', belongs: 'このアドレスはすでに組織に登録されているか、利用停止中です。サインインをお試しください。できない場合は{{name}}さんにお問い合わせください。',
    acceptedTitle: 'すでに参加済みです', overTitle: 'このリンクは使えません', acceptedWhy: 'この招待はすでに受諾されています。メールアドレスでサインインしてください。', revokedWhy: 'この招待は取り消されました。招待した方に、もう一度依頼してください。', expiredWhy: 'この招待は期限切れです。招待した方に、再送を依頼してください。', nowhereWhy: 'リンクが途中で切れているか、新しいメールに置き換えられています。最新のメールのリンクを開いてください。',
  },
}
export default ja
