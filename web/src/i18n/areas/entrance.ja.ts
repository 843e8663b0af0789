import type { Complete } from '../messages'
import type en from './entrance.en'

const ja: Complete<typeof en> = {
  entrance: { notSignedIn: 'サインインできませんでした', 'no-access': '認証サービスでは確認できましたが、こちらに該当するアカウントが見つからないか、現在ご利用いただけません。パスワードをお持ちの場合はパスワードでサインインするか、組織の管理者にお問い合わせください。', 'sign-in-failed': '時間がかかりすぎたか、別のブラウザーで始められたか、認証サービスに断られました。もう一度お試しください。', 'provider-unavailable': '認証サービスに接続できません。パスワードをお持ちの場合はパスワードでサインインするか、しばらくしてからもう一度お試しください。' },
}
export default ja
