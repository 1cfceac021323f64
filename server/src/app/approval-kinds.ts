import { gatewayCredentialsApproval } from '../accounts/gateway-credentials.ts';
import { balanceModeApproval } from '../accounts/balance-mode.ts';
import type { ApprovalHandlers } from '../approvals/approval.ts';
import { archiveRestoreApproval } from '../archive/ask-back.ts';
import { chainPatchApproval } from '../evidence/chain-patches/apply.ts';
import { offsetCorrectionApproval } from '../evidence/lost/correct-offset.ts';
import { settledOutsideApproval } from '../evidence/lost/settle-outside.ts';
import { supplementApproval } from '../evidence/matching/supplement.ts';
import { messageReadingApproval } from '../evidence/templates/save.ts';
import { nameListApproval } from '../screening/change-list.ts';
import { reversalApproval } from '../orders/reverse.ts';
import { payAddressApproval } from '../terms/products/manage-products.ts';
import { rateChangeApproval } from '../terms/products/rate-change.ts';
import { resultFileApproval } from '../payout/batch/decide-file.ts';
import { batchCancelApproval } from '../payout/batch/send.ts';
import { payoutTemplateApproval } from '../payout/batch/templates/manage.ts';
import { unprovenPayoutApproval } from '../orders/decide-unproven.ts';
import { usdtReleaseApproval } from '../payout/release.ts';
import { userAccessApproval } from '../access/user-access.ts';
import { ipRuleApproval } from '../access/ip-rules/save-rule.ts';
import { accessReviewApproval } from '../parties/access-review/sign.ts';
import { adjustmentApproval } from '../treasury/balance-adjustment.ts';
import { clearBalanceApproval } from '../treasury/clear-balance.ts';
import { creditLimitApproval } from '../treasury/credit-limit.ts';
import { topUpApproval } from '../treasury/top-up.ts';
import { merchantAccessApproval, ownAddressesApproval } from '../parties/merchants/access-approval.ts';
import { settlementTermApproval } from '../parties/merchants/set-settlement-term.ts';
import { supplierAgentApproval } from '../parties/suppliers/update-supplier.ts';
import { beneficiaryApproval } from '../parties/withdrawals/ask.ts';
import { payScriptReleaseApproval } from '../channels/scripts/release.ts';
import { monitorScriptReleaseApproval } from '../evidence/monitors/scripts.ts';
import { settingChangeApproval } from '../backoffice/settings/change-setting.ts';
import { personalExportApproval } from '../backoffice/exports/many-persons.ts';
import { botGroupApproval } from '../bots/save-group.ts';
import { transferInstructionApproval } from '../bots/transfers.ts';
import { earlySettlementApproval } from '../treasury/settlement/run.ts';
import { heldReleaseApproval } from '../maintenance/repair.ts';
import { withdrawalApproval } from '../treasury/withdrawal.ts';

/** Every kind of request, with the handler that executes it. */
export const APPROVAL_HANDLERS: ApprovalHandlers = {
  balanceAdjustment: adjustmentApproval,
  clearBalance: clearBalanceApproval,
  reversal: reversalApproval,
  supplementAbove: supplementApproval,
  merchantAccess: merchantAccessApproval,
  ownAddresses: ownAddressesApproval,
  beneficiary: beneficiaryApproval,
  unprovenPayout: unprovenPayoutApproval,
  resultFile: resultFileApproval,
  batchCancel: batchCancelApproval,
  payoutTemplate: payoutTemplateApproval,
  topUp: topUpApproval,
  withdrawal: withdrawalApproval,
  creditLimit: creditLimitApproval,
  rateChange: rateChangeApproval,
  supplierAgent: supplierAgentApproval,
  gatewayCredentials: gatewayCredentialsApproval,
  balanceMode: balanceModeApproval,
  chainPatch: chainPatchApproval,
  usdtRelease: usdtReleaseApproval,
  payScriptRelease: payScriptReleaseApproval,
  monitorScriptRelease: monitorScriptReleaseApproval,
  messageReading: messageReadingApproval,
  settledOutside: settledOutsideApproval,
  offsetCorrection: offsetCorrectionApproval,
  earlySettlement: earlySettlementApproval,
  settlementTerm: settlementTermApproval,
  settingChange: settingChangeApproval,
  payAddress: payAddressApproval,
  transferInstruction: transferInstructionApproval,
  heldRelease: heldReleaseApproval,
  ipRuleChange: ipRuleApproval,
  botGroup: botGroupApproval,
  nameListChange: nameListApproval,
  personalExport: personalExportApproval,
  archiveRestore: archiveRestoreApproval,
  accessReview: accessReviewApproval,
  userAccess: userAccessApproval,
};
