import type firstRun from './firstRun.en'
import type { Complete } from '../messages'

export default {
  firstRun: {
    title: '3 分で最初の目標へ', lead: '4 つの小さな手順です。どれもあとから変更でき、途中で離れても続きから再開できます。', dismiss: 'この案内を閉じる', done: '完了', skip: 'あとで',
    cycle: 'いつ：サイクル', cycleWhy: '目標は、四半期などの期間ごとに立てます。', cycleDo: 'このサイクルを開始', quarter: '{{year}}年 第{{n}}四半期', activate: '「{{name}}」は準備中です。開始するとチェックインできるようになります。', activateDo: '開始する',
    team: '誰が：チーム', teamWhy: 'チームで目標を共有し、リーダーがレビューします。まずはあなたがリーダーになります。あとで交代できます。', teamDo: 'チームを作成', teamPlaceholder: 'プロダクト',
    invite: '誰と：メンバー', inviteWhy: '1 週間有効なリンクがメールで届きます。', inviteLabel: 'メールアドレス', inviteHint: 'カンマ、空白、改行で区切ってください', inviteDo: '招待を送る', notInvited: '招待できなかった宛先：{{list}}', inviteNone: 'メールアドレスを入力してください。',
    objective: '何を：最初の目標', objectiveWhy: '期間の終わりまでに何を良くしたいかを一文で書きましょう。主要な成果はコーチが一緒に考えます。', objectiveDo: '最初の目標を書く',
  },
} satisfies Complete<typeof firstRun>
