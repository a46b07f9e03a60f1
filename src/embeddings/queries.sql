-- Every query of this part. Written by "npm run sql"; do not edit.

-- src/embeddings/choice-store.ts readChoice
select "driver", "model", "fingerprint", "digest"
from "embeddings"."choices"
where "settings" = $1;

-- src/embeddings/choice-store.ts saveChoice
insert into "embeddings"."choices" ("settings", "driver", "model", "fingerprint", "digest", "chosen_at")
values ($1, $2, $3, $4, $5, $6)
on conflict ("settings") do update
set "driver" = $7, "model" = $8, "fingerprint" = $9, "digest" = $10, "chosen_at" = $11;
