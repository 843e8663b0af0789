import type { Complete } from '../messages'
import type en from './cycles.en'

const ja: Complete<typeof en> = {
  cycles: {
    all: 'サイクルの一覧', score: 'スコアをつける', carryOver: '引き継ぐ', close: 'サイクルを終了する', reopenWhy: '終了すると元に戻せません。チェックインもできなくなります。個々の目標は、承認者が再開してスコアをつけ直せます。', startWhy: '開始したサイクルは準備中に戻せません。',  over: '{{day}} に終了日を迎えました',  
    unscored: 'スコアのない承認済みの目標が残っています。', unscoredWhy: '後から結果を確認できるように、先にスコアをつけることをお勧めします。', scoreFirst: 'スコアをつける', leave: 'スコアをつけずに終了する', nothingOpen: '承認済みの目標にはすべてスコアがついています。', closed: 'サイクルを終了しました',
  },
  scoring: {
    title: '「{{name}}」のスコア', why: '目標ごとにスコアをつけて完了にします。目安は進捗から計算しています。目安と違うスコアにする場合と、必達の目標が 1.0 に届かない場合は、コメントが必要です。', none: 'スコアをつける目標はありません', noneWhy: '閲覧できる承認済みの目標は、すべて完了しています。', scoreOf: '「{{title}}」のスコア', noteOf: '「{{title}}」のコメント', note: '結果はどうでしたか。学んだことは何ですか。', noteNeeded: 'コメントが必要です。',  suggestedMark: '{{score}}（目安）', choose: '「{{title}}」を完了にする', chooseAll: '準備できたものすべて', chosen_other: '{{count}} 件を選択中', common: 'コメントが必要な目標に共通のコメント', commonHint: 'コメントが必要で、まだ書かれていない目標に使います。', submit_other: '{{count}} 件を完了にする', all: 'すべて目安のとおり完了にする', allWhy: 'このサイクルであなたが完了にできる目標を、まだ表示していないものも含めて目安のスコアで完了にします。コメントが必要なものは、共通のコメントを書いていない限り残します。目安と違うスコアを選んだものも残します。', progress_other: '{{count}} 件を完了…', stop: '中止', closed_other: '{{count}} 件を完了にしました', left_other: '次の {{count}} 件は完了にできませんでした。', notYours: '担当者か承認者が完了にします', 
    'stale-revision': 'ほかの人が変更しました。もう一度確認してください。', 'not-found': '削除されたか、閲覧できなくなりました。', 'not-allowed': '完了にする権限がありません。', 'wrong-state': '承認済みではなくなりました。', invalid: 'スコアまたはコメントを確認してください。', loaded_other: '{{count}} 件を表示', loadedMore_other: '{{count}} 件を表示（続きあり）', closeCycle: 'サイクルを終了する', 
  },
  carry: {
    title: '「{{name}}」からの引き継ぎ', why: '次のサイクルに下書きを作成します。数値は到達した値から始まり、目標に届いた主要な成果は引き継ぎません。ボタンを押すまで何も作成されず、二度押しても二重には作成されません。', target: '引き継ぎ先のサイクル', noTarget: '次のサイクルがまだありません', noTargetWhy: '先に次のサイクルを作成してください。このサイクルより後に始まる必要があります。', noTargetAsk: '次のサイクルの作成を管理者に依頼してください。', notBegun: 'このサイクルはまだ始まっていません', notBegunWhy: '進行中または終了したサイクルの目標を引き継げます。', scope: '対象の目標', mine: '自分の目標', team: 'チームの目標', cycle: '閲覧できるすべて', teamLabel: 'チーム', chooseTeam: 'チームを選ぶと、作成される内容を確認できます。', preview: '作成される内容', none: '引き継ぐ目標はありません', noneWhy: 'このサイクルには該当する目標がありません。', take: '「{{title}}」を引き継ぐ', takeAll: '表示中のすべて', would: '下書きを作成', exists: '引き継ぎ済み', skipped: '引き継がない', copy: '下書きを見る', hidden: '閲覧できない目標',
    'not-there': '見つかりません。', archived: 'アーカイブされています。', 'not-allowed': '引き継ぎ先で下書きを作成する権限がありません。', 'team-archived': 'チームがアーカイブされています。', 'not-your-team': '所属していないチームの目標です。', 'nothing-left': '主要な成果がすべて目標に届いています。', reached: '目標に届いたため引き継ぎません', weightsReset: '引き継ぐ主要な成果の重みがすべて 0 のため、それぞれ 1 になります。', 'old-parent': '貢献先が引き継がれないため、元の目標を貢献先として残し、見直しの印をつけます。', 'objective-only': '貢献先の主要な成果が引き継がれないため、目標全体を貢献先とし、見直しの印をつけます。', kept: '貢献先を維持', supports: '支援先（一緒に引き継ぐ目標）: {{titles}}', supportsOld: '支援先（元の目標のまま）: {{titles}}', supported: '支援元（引き継ぎ済みの目標）: {{titles}}', others_other: 'ほか {{count}} 件', stepsLeft: '残りのステップ：{{steps}}', more: '続きがあります。続きも、外したものを除いて引き継ぎます。', submit_other: '{{count}} 件を引き継ぐ', submitMore: '続きも含めて引き継ぐ', progress_other: '{{count}} 件を作成…', stop: '中止', done_other: '「{{name}}」に下書きを {{count}} 件作成しました', doneNothing: '作成するものはありませんでした。', see: '下書きを見る', stopped: '中止しました。作成済みの下書きは残り、いつでも続きから再開できます。',
  },
  jobs: {
    why: 'この組織でコーチに依頼した内容です。新しい順に表示し、進行中の依頼がある間は数秒ごとに更新します。', none: 'コーチへの依頼はまだありません', noneWhy: 'コーチへの依頼とその結果がここに表示されます。', noneState: 'この状態の依頼はありません。', state: '状態', all: 'すべて', queued: '待機中', running: '実行中', succeeded: '回答済み', failed: '失敗', cancelled: '中止', superseded: '無効', draft: '提案', feedback: 'フィードバック', by: '依頼者 {{name}}さん、{{when}}', attempt: '試行 {{n}}/{{all}} 回', took: '所要 {{seconds}} 秒', next: '次の試行 {{when}}', why2: '理由：{{why}}', cancel: '中止する', cancelSure: 'コーチへの依頼を中止しますか。もう一度依頼できます。', open: '対話を開く',
  },
}
export default ja
