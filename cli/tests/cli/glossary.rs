//! The glossary, and its file.

use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::noted::{Answers, RecordingProxy};
use crate::support::{World, snapshot};

both_engines!(
    a_glossary_goes_into_its_file_and_back,
    what_the_file_lacks_stays_unless_it_is_pruned,
    a_fault_of_the_file_is_named_with_its_place_and_nothing_is_written,
    a_pull_keeps_terms_that_are_not_pushed_yet,
    a_term_that_a_push_removes_unasked_is_told,
);

const FILE: &str = "term,language,rule,case_sensitive,note,de,pt-BR\n\
    Kasse,de,forbidden,false,,,\n\
    Acme Pay,en,keep,true,,,\n\
    cart,en,translate,false,\"What one buys, \"\"soon\"\"\",Warenkorb,carrinho\n";

async fn a_glossary_goes_into_its_file_and_back(store: TestStore) {
    let world = World::on(&store).await;
    world.write(
        "glossary.csv",
        "note,pt_br,term,de,rule,Language,case_sensitive\r\n\
        \"What one buys, \"\"soon\"\"\",carrinho,cart,Warenkorb,,,\r\n\
        ,,Acme Pay,,keep,,TRUE\r\n,,Kasse,,forbidden,de,\r\n",
    );
    let preview = world.json(&["glossary", "push", "--dry-run"]).await;
    let numbers = json!({"file": "glossary.csv", "dryRun": true, "kept": 0, "added": 3, "changed": 0, "removed": 0,
        "unchanged": 0});
    assert_eq!(preview, numbers);
    let preview = world.ok(&["glossary", "push", "--dry-run"]).await.stdout;
    assert_eq!(preview, "3 would be added, 0 changed, 0 removed, 0 unchanged (dry run)\n");
    assert_eq!(world.json(&["glossary"]).await, json!({"terms": []}));
    let mut done = world.json(&["glossary", "push"]).await;
    done["dryRun"] = json!(true);
    assert_eq!(done, numbers);
    let pulled = world.json(&["glossary", "pull"]).await;
    assert_eq!(pulled, json!({"file": "glossary.csv", "terms": 3, "written": true}));
    let lines: Vec<&str> = FILE.split_inclusive('\n').collect();
    assert_eq!(
        world.read("glossary.csv"),
        [lines[0], lines[3], lines[2], lines[1]].concat(),
        "in the order of the file"
    );
    assert_eq!(world.json(&["glossary", "pull"]).await["written"], json!(false));
    let again = world.json(&["glossary", "push"]).await;
    assert_eq!((&again["unchanged"], &again["changed"]), (&json!(3), &json!(0)));
    world.ok(&["glossary", "pull", "other/terms.csv"]).await;
    assert_eq!(world.read("other/terms.csv"), FILE);
    assert_eq!(world.ok(&["glossary", "pull", "-"]).await.stdout, FILE);
    #[cfg(unix)]
    assert_eq!(world.ok(&["glossary", "pull", "/dev/stdout", "--json"]).await.stdout, FILE);
    let piped = world.l10n(&["glossary", "push", "-", "--dry-run"]).stdin(FILE).run().await;
    let unchanged = "0 would be added, 0 changed, 0 removed, 3 unchanged (dry run)\n";
    assert_eq!((piped.status, piped.stdout.as_str()), (0, unchanged), "{}", piped.stderr);
    let up_to_date = world.ok(&["glossary", "pull"]).await.stdout;
    assert_eq!(up_to_date, "✓ glossary.csv is up to date (3 terms)\n");
    snapshot!(world.ok(&["glossary"]).await.stdout, @r"
    TERM      LANGUAGE  RULE       CASE        TRANSLATIONS
    Kasse     de        forbidden  any
    Acme Pay  en        keep       as written
    cart      en        translate  any         de: Warenkorb, pt-BR: carrinho
    ");
    assert_eq!(world.ok(&["glossary", "list", "--workspace"]).await.stdout, "No terms.\n");
}

async fn what_the_file_lacks_stays_unless_it_is_pruned(store: TestStore) {
    let world = World::on(&store).await;
    world.write("glossary.csv", FILE);
    world.ok(&["glossary", "push"]).await;
    world.write("terms/shop.csv", "term,de\ncart,Korb\n");
    let section = "[glossary]\nfile = \"terms/shop.csv\"\n";
    let files = "[[files]]\nsource = \"locales/{language}.json\"\n";
    world.write("l10n.toml", &world.config(&format!("{section}{files}")));
    let output = world.ok(&["glossary", "push"]).await;
    snapshot!(output.stdout, @"✓ 0 added, 1 changed, 0 removed, 2 unchanged");
    snapshot!(output.stderr, @"The project keeps 2 terms that terms/shop.csv does not have; --prune removes them.");
    for (flags, toml) in [(&["--prune"][..], ""), (&[], "prune = true\n")] {
        world.write("l10n.toml", &world.config(&format!("{section}{toml}{files}")));
        let arguments: Vec<&str> = ["glossary", "push", "--dry-run"].into_iter().chain(flags.iter().copied()).collect();
        let preview = world.json(&arguments).await;
        assert_eq!((&preview["removed"], &preview["kept"], &preview["unchanged"]), (&json!(2), &json!(0), &json!(1)));
    }
    world.ok(&["glossary", "push"]).await;
    world.ok(&["glossary", "pull"]).await;
    assert_eq!(
        world.read("terms/shop.csv"),
        "term,language,rule,case_sensitive,note,de\ncart,en,translate,false,,Korb\n"
    );

    world.write("l10n.toml", &world.config(&format!("[glossary]\nfile = \"../out.csv\"\n{files}")));
    let refused = world.l10n(&["glossary", "pull"]).run().await;
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("is not in its folder"), "{}", refused.stderr);
}

async fn a_fault_of_the_file_is_named_with_its_place_and_nothing_is_written(store: TestStore) {
    let world = World::on(&store).await;
    let push = async |text: &str| {
        world.write("glossary.csv", text);
        let output = world.l10n(&["glossary", "push"]).run().await;
        assert_eq!(output.status, 2, "{}", output.stderr);
        output.stderr.lines().next().unwrap().to_owned()
    };
    for (text, expected) in [
        ("term,de\ncart,Warenkorb\n\"checkout,Kasse\n", "3:1: the quote that begins here has no end"),
        ("term,de\ncart,Warenkorb,Korb\n", "2:16: 3 fields, where the first line has 2"),
        // These are the server's to find.
        ("term,rule,de\ncart,,Warenkorb\nPay,keep,Zahlung\n", "3:1: `terms[1].translations` must be left out"),
        ("term,language\ncart,\nKasse,de\n", "3:7: `terms[1].language` must be the base language en"),
        ("term,jp\ncart,Warenkorb\n", "2:1: `terms[0].translations` "),
    ] {
        let said = push(text).await;
        assert!(said.starts_with(&format!("error: glossary.csv:{expected}")), "{said}");
    }
    assert_eq!(world.json(&["glossary"]).await, json!({"terms": []}));
    let missing = world.l10n(&["glossary", "push", "none.csv"]).run().await;
    assert_eq!(missing.status, 2, "{}", missing.stderr);
}

async fn a_pull_keeps_terms_that_are_not_pushed_yet(store: TestStore) {
    let world = World::on(&store).await;
    world.write("glossary.csv", FILE);
    world.ok(&["glossary", "push"]).await;
    for (own, lost) in [
        (
            "term,de,rule\nbasket,Korb,\ncart,Warenkorb,\nAcme Pay,,keep\n",
            "1 term that the project lacks, or has with other values: `basket`",
        ),
        ("term,de\nAcme Pay,\ncart,Korb\n", "`cart`"),
        ("term,rule,note\nAcme Pay,translate,\ncart,,Another\n", "`Acme Pay`, `cart`"),
    ] {
        world.write("glossary.csv", own);
        let refused = world.l10n(&["glossary", "pull", "--json"]).run().await;
        assert_eq!(refused.status, 3, "{}", refused.stderr);
        assert!(refused.stderr.contains(&format!("{lost}; nothing was written\n")), "{}", refused.stderr);
        assert_eq!(refused.json()["error"]["code"], "local_terms");
        assert_eq!(world.read("glossary.csv"), own);
    }
    world.write("glossary.csv", "term,what is this\ncart,1\n");
    let broken = world.l10n(&["glossary", "pull"]).run().await;
    assert_eq!(broken.status, 2, "{}", broken.stderr);
    assert!(broken.stderr.contains("glossary.csv:1:6: ") && broken.stderr.contains("--overwrite"), "{}", broken.stderr);
    world.ok(&["glossary", "pull", "--overwrite"]).await;
    assert_eq!(world.read("glossary.csv"), FILE);
    // A file that says less, or nothing, loses nothing.
    for own in ["", "de,term,language\nWarenkorb,cart,\n,Kasse,de\n"] {
        world.write("glossary.csv", own);
        world.ok(&["glossary", "pull"]).await;
        assert!(world.read("glossary.csv").contains("carrinho"));
    }
    let own = "term,de\nbasket,Korb\n";
    world.write("glossary.csv", own);
    world.ok(&["glossary", "pull", "--overwrite"]).await;
    assert_eq!(world.read("glossary.csv"), FILE);
}

/// Someone adds a term between the two requests of a push.
async fn a_term_that_a_push_removes_unasked_is_told(store: TestStore) {
    let world = World::on(&store).await;
    world.write("glossary.csv", FILE);
    world.ok(&["glossary", "push"]).await;
    let proxy = RecordingProxy::to(world.app.address, Answers::WithoutLastTerm).await;
    world.write("glossary.csv", "term,language,rule\nKasse,de,forbidden\n");
    let base_url = proxy.base_url();
    let pushed = world.ok(&["glossary", "push", "--base-url", &base_url]).await;
    assert_eq!(pushed.stdout, "✓ 0 added, 0 changed, 1 removed, 2 unchanged\n");
    assert!(
        pushed.stderr.contains("warning: meanwhile someone added 1 term, which this push removed"),
        "{}",
        pushed.stderr
    );
    let pruned = world.ok(&["glossary", "push", "--prune"]).await;
    assert!(!pruned.stderr.contains("warning"), "{}", pruned.stderr);
}
