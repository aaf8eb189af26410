const YEAR = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) } as const;

/**
 * SQL that fills only the table of sessions: evenly over a year, 60 tenants in as many folders, five models with two for each session.
 * One of 20 has errors, one of 1,000 a rare model.
 */
export function sessionsOfAYear(count: number): readonly string[] {
  const utf16 = (text: string) =>
    `regexp_replace(encode(convert_to(${text}, 'UTF8'), 'hex'), '(..)', '00\\1', 'g')`;
  const group = (model: string, share: string) => `json_build_object('model', ${model}, 'provider', 'vendor',
    'at', newest, 'contextTokens', 90000 + n % 9000, 'calls', 20 + n % 30, 'usage', json_build_object('inputTokens', n % 5000,
    'outputTokens', 2000 * ${share} + n % 999, 'cacheReadTokens', 900000 * ${share}, 'cacheWriteTokens', 40000 * ${share}))`;
  return [
    `INSERT INTO agent_inspector.sessions (tenant_id, session_id, incarnation, revision, user_id, title, search, created_at, added_at,
        log_newest, newest, last_active, place, state, turns, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
        trace_end, orchestration_end, trace_size, orchestration_size, log_size, messages_first, messages_size,
        errors, model, prompt, last_answer, usage_by_model, directory)
      SELECT tenant, session, gen_random_uuid(), 1, 'user-' || n % 10, 'Title ' || n,
        session || U&'\\FDD1' || 'user-' || n % 10 || U&'\\FDD1' || 'title ' || n, newest - (n % 100) * 60000, newest, newest, newest,
        to_char(to_timestamp(newest / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        decode(${utf16("tenant")} || '0000' || ${utf16("session")}, 'hex'),
        CASE WHEN n % 40 = 0 THEN 'error' ELSE 'idle' END, 3 + n % 20, n % 5000 * 2, 2000 * 3 + n % 999 * 2, 2700000, 120000,
        '{"activity":{},"turnParts":{"recorded":3,"begun":0}}', '{"activity":{}}', 0, 0, 0, 0, 0,
        CASE WHEN n / 60 % 20 = 0 THEN 1 + n % 3 ELSE 0 END, model, 'Why is number ' || n || ' slow? ' || repeat('words of it ', 12),
        'Because of ' || repeat('what was said of it ', 10),
        json_build_array(${group("model", "1")}, ${group("'model-' || (n + 1) % 5", "2")})::text, '/home/dev/project-' || n % 60
      FROM (SELECT n, 'tenant-' || n % 60 AS tenant, 'session-' || n AS session,
          CASE WHEN n % 1000 = 7 THEN 'rare-model' ELSE 'model-' || n % 7 % 5 END AS model,
          floor(${YEAR.from} + n * (${YEAR.to - YEAR.from}::float8 / ${count + 1})) AS newest
        FROM generate_series(1, ${count}) AS n) AS made`,
    "VACUUM ANALYZE agent_inspector.sessions",
  ];
}
