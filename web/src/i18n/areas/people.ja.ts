import type { Complete } from '../messages'
import type en from './people.en'

const ja: Complete<typeof en> = {
  people: {
    settingsTab: '設定', webhooksTab: 'Webhook 連携', searchTeams: 'チームを検索', noTeamFound: 'チームが見つかりませんでした', invite: 'メンバーを招待', search: '名前・メールアドレスで検索', noneFound: '見つかりませんでした', noneFoundWhy: '名前やメールアドレスの先頭の文字でお試しください。', lastOwner: 'サインインできるオーナーが最低 1 人必要です。先にほかの方をオーナーにしてください。', unsuspendSure: '{{name}}さんの停止を解除しますか。以前の権限のまま、すぐにサインインできるようになります。',
    invitations: '招待', whichInvitations: '表示する招待', openOnes: '未回答', noOpenInvitations: '未回答の招待はありません', noInvitations: 'まだ誰も招待していません', noInvitationsWhy: '招待した方にはリンク付きのメールが届きます。参加するまで、ここに表示されます。', resend: '再送', revoke: '取り消す', revokeSure: '{{email}} への招待を取り消しますか。メールのリンクは使えなくなります。', sentAgain: '{{email}} に再送しました', sentFiveTimes: 'すでに 5 回送信しました。いったん取り消し、アドレスを確認してから、あらためて招待してください。', sentJustNow: '送信したばかりです。1 分ほど待ってから再送してください。', mailFailed: 'メールが届きませんでした', invitedBy: '{{name}}さんが送信（{{when}}）', until: '有効期限 {{when}}', times_other: '{{count}} 回送信',
    inviteTitle: 'メンバーを招待', addresses: 'メールアドレス', addressesHint: '1 行に 1 件ずつ。メールや表からまとめて貼り付けることもできます', count_other: '{{count}} 件', days: 'リンクの有効日数', daysHint: '1 から 30 まで', joinTeams: '参加するチーム', noTeam: 'なし', inviteWhy: '一人ひとりに専用のリンクをメールで送ります。アカウントをお持ちの方は、そのまま使えます。', send: '招待を送る', invited_other: '{{count}} 件の招待を送信しています。', notInvited_other: '{{count}} 件は招待できませんでした',
    role_owner: 'オーナーの任命を含むすべて', role_admin: 'メンバー・チーム・サイクル・設定の管理', role_member: '自分の目標とチェックイン', role_viewer: '閲覧のみ',
  },
  invitationState: { open: '未回答', accepted: '参加済み', revoked: '取り消し', expired: '期限切れ' },
  outcome: { invited: '招待しました', 'already-invited': 'すでに招待済みで、回答待ちです', 'already-member': 'すでにメンバーです', 'suspended-member': '停止中です。停止を解除してください', 'invalid-address': 'メールアドレスの形式が正しくありません', 'role-above-own': 'ご自分より上の権限は付与できません', 'unknown-team': 'チームが存在しないか、アーカイブされています', repeated: '一覧の中で重複しています' },
}
export default ja
