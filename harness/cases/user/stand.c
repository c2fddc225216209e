/* SPDX-License-Identifier: MIT */
#include <semaphore.h>
#include "harness/step/self.h"
#include "stand.h"

static struct {
	const struct stand *s;
	unsigned long	stop_at, steps;
	bool		stopped, quit;
	struct inside	inside;
	sem_t		go, there, back;
} at;

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem))
		;
}

void inside_begin(struct inside *i)
{
	i->nr = i->sp = i->in = i->left = 0;
	for (struct tramp_image *image = tramp_images; image && i->nr < INSIDE_IMAGES; image = image->next)
		i->image[i->nr++] = (struct tramp_range){ image->code.pc, image->code.pc + image->code.len };
}

bool inside_image(const struct inside *i, unsigned long pc)
{
	for (unsigned int k = 0; k < i->nr; k++)
		if (pc - i->image[k].start < i->image[k].end - i->image[k].start)
			return true;
	return false;
}

/* The site's call leads to an image; what the image calls has its frame below. */
bool inside_entry(struct inside *i, unsigned long pc, unsigned long sp)
{
	if (inside_image(i, pc)) {
		if (!i->in)
			i->sp = sp;
		i->in = true;
	} else if (i->in && sp >= i->sp) {
		i->in = false;
		i->left = true;
	}
	return i->in;
}

static bool on_step(unsigned long pc, unsigned long sp)
{
	inside_entry(&at.inside, pc, sp);
	if (at.s->step && at.inside.left)
		return false;
	if (at.steps++ < at.stop_at)
		return true;
	at.stopped = true;
	if (at.s->look)
		at.s->look(pc, false);
	sem_post(&at.there);
	nap_ms(STAY_MS);
	if (at.s->look)
		at.s->look(pc, true);
	return false;
}

static void *step_thread(void *arg)
{
	(void)arg;
	for (;;) {
		wait_for(&at.go);
		if (at.quit)
			return NULL;
		EXPECT_EQ(self_step((unsigned long)at.s->func, at.s->call, NULL, on_step), 0);
		if (!at.stopped)
			sem_post(&at.there);
		sem_post(&at.back);
	}
}

/* False: the call has no such instruction. */
static bool stand_once(void)
{
	at.steps = 0;
	at.stopped = false;
	inside_begin(&at.inside);
	sem_post(&at.go);
	wait_for(&at.there);
	if (at.stopped)
		at.s->change();
	wait_for(&at.back);
	if (at.stopped)
		at.s->restore();
	return at.stopped;
}

unsigned long stand_at_every(const struct stand *s)
{
	unsigned long nr = 0;
	pthread_t t;

	at.s = s;
	at.quit = false;
	sem_init(&at.go, 0, 0);
	sem_init(&at.there, 0, 0);
	sem_init(&at.back, 0, 0);
	t = spawn(step_thread, NULL);
	at.stop_at = s->first;
	while (!case_failed() && stand_once()) {
		nr++;
		at.stop_at += s->step ? s->step : 1;
	}
	at.quit = true;
	sem_post(&at.go);
	join(t);
	if (case_failed())
		case_printf("the thread stood at instruction %lu", at.stop_at);
	/* The call, the callback, and the function's own two or three. */
	if (!s->step)
		EXPECT(nr > 20, "a traced call took %lu instructions", nr);
	return nr;
}

bool stand_inside(void)
{
	return at.inside.in;
}
