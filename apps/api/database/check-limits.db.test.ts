/** The numbers in the tables' CHECKs are the numbers of the code: every one of them, so that none drifts unseen. */
import { expect, test } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { databaseForFile } from "../../../tests/support/database-for-file.mts";

/** Every CHECK that holds a number above 1, and the limits it repeats in their order there. */
const NUMBERS: Record<string, number[]> = {
  about_content_github_user_check: [LIMITS.aboutUserChars],
  about_content_intro_check: [LIMITS.aboutIntroChars],
  about_content_origin_url_check: [LIMITS.webUrlChars],
  generated_images_byte_size_check: [LIMITS.imageBytes],
  imagegen_config_api_key_enc_check: [12 + 16],
  imagegen_config_base_url_check: [LIMITS.providerUrlChars],
  imagegen_config_idle_timeout_ms_check: [LIMITS.providerIdleMinMs, LIMITS.providerIdleMaxMs],
  imagegen_config_model_id_check: [LIMITS.modelIdChars],
  imagegen_config_total_timeout_ms_check: [LIMITS.providerTotalMinMs, LIMITS.providerTotalMaxMs],
  // nonce and tag around a sealed key: the box's layout, not a limit.
  llm_config_api_key_enc_check: [12 + 16],
  llm_config_base_url_check: [LIMITS.providerUrlChars],
  lists_are_short: [LIMITS.aboutPoints, LIMITS.aboutRepos, LIMITS.aboutLanguages],
  llm_config_model_id_check: [LIMITS.modelIdChars],
  notes_assets_byte_size_check: [LIMITS.noteAssetBytes],
  notes_categories_name_check: [LIMITS.noteCategoryNameChars],
  notes_categories_sort_order_check: [LIMITS.noteSortOrder],
  notes_chapters_content_md_check: [LIMITS.noteContentBytes],
  notes_chapters_label_check: [LIMITS.noteLabelChars],
  notes_chapters_source_url_check: [LIMITS.noteSourceUrlChars],
  notes_chapters_summary_check: [LIMITS.noteSummaryChars],
  notes_chapters_title_check: [LIMITS.noteTitleChars],
  notes_series_description_check: [LIMITS.noteDescriptionChars],
  notes_series_name_check: [LIMITS.noteSeriesNameChars],
  notes_series_sort_order_check: [LIMITS.noteSortOrder],
  // Parity of a message's place.
  question_is_even: [2],
  mcp_audit_method_check: [LIMITS.mcpAuditNameChars],
  mcp_audit_principal_check: [LIMITS.mcpPrincipalChars],
  mcp_audit_remote_check: [LIMITS.mcpAuditNameChars],
  mcp_audit_summary_check: [LIMITS.mcpSummaryChars],
  mcp_audit_tool_check: [LIMITS.mcpAuditNameChars],
  reply_is_odd: [2],
  sandbox_config_total_timeout_ms_check: [LIMITS.scriptTimeoutMinMs, LIMITS.scriptTimeoutMaxMs],
  skill_files_path_check: [LIMITS.skillPathChars],
  skill_files_size_bytes_check: [LIMITS.skillFileBytes],
  skills_categories_name_check: [LIMITS.skillCategoryNameChars],
  skills_categories_sort_order_check: [LIMITS.skillSortOrder],
  skills_repo_url_check: [LIMITS.webUrlChars],
  skills_sort_order_check: [LIMITS.skillSortOrder],
  skills_summary_check: [LIMITS.skillSummaryChars],
  skills_version_check: [LIMITS.skillVersionChars],
  source_files_bytes_check: [LIMITS.sourceFileBytes],
  source_files_path_check: [LIMITS.sourcePathChars],
  source_snapshots_file_count_check: [LIMITS.sourceFiles],
  tool_config_note_check: [LIMITS.toolNoteChars],
  websearch_config_api_key_enc_check: [12 + 16],
  websearch_config_base_url_check: [LIMITS.providerUrlChars],
  websearch_config_idle_timeout_ms_check: [LIMITS.providerIdleMinMs, LIMITS.providerIdleMaxMs],
  websearch_config_model_id_check: [LIMITS.modelIdChars],
  websearch_config_total_timeout_ms_check: [LIMITS.providerTotalMinMs, LIMITS.providerTotalMaxMs],
  visits_path_check: [LIMITS.visitPathChars],
};

const opened = databaseForFile();

test("every number in a CHECK is a limit of the code", async () => {
  const { rows } = await opened.admin.query<{ name: string; rule: string }>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS rule FROM pg_constraint
     WHERE contype = 'c' AND connamespace = 'public'::regnamespace ORDER BY conname`,
  );
  const found = rows.flatMap(({ name, rule }) => {
    // Patterns in quotes hold numbers of their own.
    const numbers =
      rule
        .replace(/'[^']*'/g, "")
        .match(/\b\d+\b/g)
        ?.map(Number)
        .filter((n) => n > 1) ?? [];
    return numbers.length > 0 ? [[name, numbers] as const] : [];
  });
  expect(Object.fromEntries(found)).toEqual(NUMBERS);
});
