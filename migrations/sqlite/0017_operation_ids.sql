-- The same change stands in ../postgres/0017_operation_ids.sql.
-- Receipts name the operation by its `operationId` in openapi.json. Those of the last 7 days get their new names.
UPDATE requests SET kind = CASE kind
    WHEN 'capture::create' THEN 'captureKeys'
    WHEN 'content::create' THEN 'createDocument'
    WHEN 'content::update' THEN 'updateDocument'
    WHEN 'content::run' THEN 'runDocument'
    WHEN 'languages::add' THEN 'addLanguages'
    WHEN 'operations::create' THEN 'createOperation'
    WHEN 'output_formats::set' THEN 'setOutputFormats'
    WHEN 'publish::create' THEN 'publishVersion'
    WHEN 'translations::sync' THEN 'syncFile'
    WHEN 'translations::translate' THEN 'translateKeys'
    WHEN 'versions::restore' THEN 'restoreVersion'
    WHEN 'webhooks::create' THEN 'createWebhook'
    WHEN 'webhooks::delete' THEN 'deleteWebhook'
    WHEN 'webhooks::update' THEN 'updateWebhook'
    WHEN 'deliveries::resend' THEN 'resendDelivery'
    WHEN 'webhooks::rotate_secret' THEN 'rotateWebhookSecret'
    ELSE kind
END;
